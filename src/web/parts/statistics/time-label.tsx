import { classNames } from '../shared/class-names.ts'

/**
 * A label under a chart. At the edges it is aligned with the chart.
 * @param at in percent of the width
 * @param wide true if it fits only into a wide window
 */
export function TimeLabel({ at, text, wide }: { at: number; text: string; wide: boolean }) {
  const edge = at > 94 ? 'stat-end' : at < 6 ? 'stat-start' : 'stat-middle'
  return (
    <text x={`${at > 94 ? 100 : at < 6 ? 0 : at}%`} y="1.2em" className={classNames(edge, wide && 'stat-wide')}>
      {text}
    </text>
  )
}
