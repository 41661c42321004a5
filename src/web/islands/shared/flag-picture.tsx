/** Shapes within 21 by 14, one above the other. */
export type FlagDrawing = readonly (readonly [path: string, colour: string])[]

/** A flag, as decoration beside a name. */
export function FlagPicture({ drawing }: { drawing: FlagDrawing }) {
  return (
    <svg className="flag" viewBox="0 0 21 14" aria-hidden="true">
      {drawing.map(([path, colour]) => (
        <path key={path} d={path} fill={colour} />
      ))}
    </svg>
  )
}
