;;; llmblocks.el --- Gadget calls, Simple Text Format and custom blocks  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Modes for the three languages, with `llmblocks server' through Eglot.  The program has to be on the PATH.

;;; Code:

(defvar eglot-server-programs)
(declare-function eglot-ensure "eglot")

(defun llmblocks--set-up ()
  "Options of all modes of llmblocks."
  ;; a newline at the end of the file would be content
  (setq-local require-final-newline nil
              mode-require-final-newline nil))

;;;###autoload
(define-derived-mode gadget-mode text-mode "Gadget"
  "Major mode for gadget calls."
  (llmblocks--set-up))

;;;###autoload
(define-derived-mode custom-blocks-mode text-mode "Blocks"
  "Major mode for text with custom blocks."
  (llmblocks--set-up))

;;;###autoload
(define-derived-mode stf-mode text-mode "STF"
  "Major mode for Simple Text Format, in both dialects."
  (llmblocks--set-up)
  (setq-local comment-end ""
              comment-start-skip "^[@;][ \t]*\\(?:#\\|//\\)[ \t]*"
              comment-use-syntax nil
              ;; a sign after blanks would be message text
              comment-style 'plain)
  (stf-set-comment-start)
  (add-hook 'pre-command-hook #'stf-set-comment-start nil t))

(defconst stf--tells
  (let ((names '("message" "msg" "user" "assistant" "ai" "system" "sys" "developer" "dev" "tool" "raw" "end")))
    (concat "^\\(?:"
            (mapconcat
             (lambda (dialect)
               (concat "\\(" (car dialect) "\\)[ \t]*\\(?:#\\|//\\|/\\*\\|\\*/\\|"
                       (regexp-opt (append names (cdr dialect))) "\\(?:[^[:alnum:]]\\|$\\)\\)"))
             '(("@" "call" "embed") (";" "meta" "extra" "flush"))
             "\\|")
            "\\)"))
  "The lines that determine the dialect of a chat.")

(defun stf-set-comment-start ()
  "Set the comment sign of this chat's dialect.
The sign of one dialect is message text in the other."
  (let ((dialect
         (save-excursion
           (save-restriction
             (widen)
             (goto-char (point-min))
             ;; a bound on the lines searched for the dialect
             (let ((case-fold-search nil)
                   (limit (save-excursion (forward-line 1000) (point))))
               (save-match-data
                 (if (and (re-search-forward stf--tells limit t) (match-beginning 2)) ";" "@")))))))
    (setq-local comment-start (concat dialect "# "))))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.gadget\\'" . gadget-mode))
  (add-to-list 'auto-mode-alist '("/\\.llmist/logs/.*\\.\\(response\\|request\\)\\'" . gadget-mode))
  (add-to-list 'auto-mode-alist '("/[0-9]+\\.\\(response\\|request\\)\\'" . gadget-mode))
  (add-to-list 'auto-mode-alist '("\\.stf\\'" . stf-mode))
  (add-to-list 'auto-mode-alist '("\\.blocks\\'" . custom-blocks-mode)))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((gadget-mode stf-mode custom-blocks-mode) "llmblocks" "server")))
(dolist (hook '(gadget-mode-hook stf-mode-hook custom-blocks-mode-hook))
  (add-hook hook #'eglot-ensure))

(provide 'llmblocks)
;;; llmblocks.el ends here
