use zed_extension_api::{
    self as zed, settings::LspSettings, Command, Extension, LanguageServerId, Result, Worktree,
};

struct Pclgen;

impl Extension for Pclgen {
    fn new() -> Self {
        Pclgen
    }

    /// The program of the setting `lsp.pclgen.binary`, or else `pclgen` on the `PATH` of the project's shell.
    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments) = match binary {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = path
            .or_else(|| worktree.which("pclgen"))
            .ok_or("`pclgen` is not installed: run `pip install 'pclgen[lsp]'`, or set `lsp.pclgen.binary.path`")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".into()]),
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Pclgen);
