import './no-eval.ts'
import { createRoot } from 'react-dom/client'
import { type EditorFacts, editorElementId } from '#contract/translation/editor.ts'
import { EditorApp } from './editor-app.tsx'
import type { EditorWords } from './editor-words.ts'

const root = document.getElementById('editor')
const printed = document.getElementById(editorElementId)?.textContent
if (root && printed) {
  // Proof of the type: the server prints it from the same types, into its own page.
  const { editor, words }: { editor: EditorFacts; words: EditorWords } = JSON.parse(printed)
  if (editor.languages.length > 0) createRoot(root).render(<EditorApp facts={editor} words={words} />)
}
