import { urls } from '#contract/shared/urls.ts'
import { editorUrls } from '#contract/translation/editor.ts'
import type { EditorWords } from './editor-words.ts'

/** The server's part of the editor: the mount point, and a link for browsers without scripts. */
export function EditorShell({ words, ready }: { words: EditorWords; ready: boolean }) {
  return (
    <main id="editor" className="editor-app">
      <div className="editor-empty">
        <h1>{words.title}</h1>
        <p>{ready ? words.noScript : words.noLanguage}</p>
        <p className="editor-empty-links">
          {ready && (
            <a className="button alt" href={editorUrls.texts()}>
              {words.allTexts}
            </a>
          )}
          <a className="button" href={urls.home()}>
            {words.backToShop}
          </a>
        </p>
      </div>
    </main>
  )
}
