import type { EditorWords } from './editor-words.ts'

/** The options of a filter by status; the empty one is all. */
export function StatusOptions({ words }: { words: EditorWords }) {
  return (
    <>
      <option value="">{words.all}</option>
      {words.statuses.map((name, status) => (
        <option key={name} value={status}>
          {name}
        </option>
      ))}
    </>
  )
}
