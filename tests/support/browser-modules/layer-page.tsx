import { useState } from 'react'
import { Layer } from '#web/islands/shared/layer.tsx'

/** A dialog with its opener; counts how often it was dismissed. */
export function Opener({ top }: { top: boolean }) {
  const [open, setOpen] = useState(false)
  const [dismissals, setDismissals] = useState(0)
  return (
    <>
      <button type="button" id="before" onClick={() => setOpen(true)}>
        Open
      </button>
      <output>{dismissals}</output>
      <Layer
        top={top}
        open={open}
        onDismiss={() => {
          setOpen(false)
          setDismissals(dismissals + 1)
        }}
        titleId="title"
        className="layer"
        boxClassName="box"
      >
        <h2 id="title">Sign up</h2>
        <button type="button" className="x" onClick={() => setOpen(false)}>
          Close
        </button>
        <input id="name" aria-label="Name" />
        <button type="button" id="use">
          Use
        </button>
      </Layer>
    </>
  )
}
