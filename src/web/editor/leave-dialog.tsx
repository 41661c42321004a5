import { useEffect, useRef } from 'react'
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
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} className="editor-leave" aria-labelledby="editor-leave-question" onCancel={onStay}>
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
    </dialog>
  )
}
