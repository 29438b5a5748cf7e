;;; pcl-mode.el --- Pulumi Configuration Language, with pclgen's language server  -*- lexical-binding: t; -*-

;; Emacs 29 or newer.

(define-derived-mode pcl-mode prog-mode "PCL"
  (setq-local comment-start "# "))
(add-to-list 'auto-mode-alist '("\\.pp\\'" . pcl-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(pcl-mode "pclgen" "lsp")))
(add-hook 'pcl-mode-hook #'eglot-ensure)

(provide 'pcl-mode)
;;; pcl-mode.el ends here
