/** The code of one edited item, before that of the whole program. */

import type { Excerpt, Language, Mapping } from "./content.js";

/** The code of the whole program before an edit, with the new code of the edited item. */
export function withExcerpt(whole: Language, excerpt: Excerpt): Language {
  const [label, , end] = excerpt.item;
  const moved = excerpt.itemEnd - end;
  const grown = excerpt.text.length - (excerpt.end - excerpt.start);
  const isWithin = ([from, to]: Mapping): boolean => from >= excerpt.start && to <= excerpt.end;
  const isOfItem = ([, , file, first, last]: Mapping): boolean =>
    file === label && first >= excerpt.item[1] && last <= end;
  return {
    ...whole,
    files: whole.files.map((file) => {
      const isItsFile = file.name === excerpt.file;
      const after = isItsFile ? excerpt.end : Number.POSITIVE_INFINITY;
      const others = file.mappings
        .filter((mapping) => !isOfItem(mapping) && !(isItsFile && isWithin(mapping)))
        .map(([from, to, origin, first, last]): Mapping => {
          const ahead = origin === label && first >= end ? moved : 0;
          return [
            from >= after ? from + grown : from,
            to >= after ? to + grown : to,
            origin,
            first + ahead,
            last + ahead,
          ];
        });
      if (!isItsFile) {
        return { ...file, mappings: others };
      }
      const own = excerpt.mappings.map(([from, to, ...origin]): Mapping => [
        from + excerpt.start,
        to + excerpt.start,
        ...origin,
      ]);
      const behind = others.findIndex(([from]) => from >= excerpt.start);
      const at = behind < 0 ? others.length : behind;
      return {
        ...file,
        text: file.text.slice(0, excerpt.start) + excerpt.text + file.text.slice(excerpt.end),
        mappings: [...others.slice(0, at), ...own, ...others.slice(at)],
      };
    }),
  };
}
