import { Layer } from '../islands/shared/layer.tsx'
import type { EditorWords } from './editor-words.ts'

type Props = {
  words: EditorWords
  open: boolean
  onSave: () => void
  onDiscard: () => void
  onStay: () => void
}

/** Asks before unsaved drafts are lost. */
export function LeaveDialog({ words, open, onSave, onDiscard, onStay }: Props) {
  return (
    <Layer top open={open} onDismiss={onStay} titleId="editor-leave-question" className="editor-leave">
      <p id="editor-leave-question">{words.leaveQuestion}</p>
      <div className="editor-actions">
        <button type="button" className="button alt" onClick={onSave}>
          {words.leaveSave}
        </button>
        <button type="button" className="button" onClick={onDiscard}>
          {words.leaveDiscard}
        </button>
        <button type="button" className="button" onClick={onStay}>
          {words.stay}
        </button>
      </div>
    </Layer>
  )
}
