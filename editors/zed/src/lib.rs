//! The server of llmblocks, found on the PATH.

use zed_extension_api::{self as zed, settings::LspSettings};

struct Llmblocks;

impl zed::Extension for Llmblocks {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _id: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree.which("llmblocks").ok_or(
            "llmblocks is not on the PATH: install it with pipx install /path/to/llmblocks",
        )?;
        Ok(zed::Command {
            command,
            args: vec!["server".to_string()],
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<Option<zed::serde_json::Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings;
        Ok(settings.map(|own| zed::serde_json::json!({ "llmblocks": own })))
    }
}

zed::register_extension!(Llmblocks);
