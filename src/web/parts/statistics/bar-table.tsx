import type { ReactNode } from 'react'
import { classNames } from '../shared/class-names.ts'
import { useShop } from '../shared/shop-context.tsx'
import { percentOf } from './chart-scale.ts'
import { figures } from './figures.ts'

export type BarRow = {
  readonly key: string
  readonly name: ReactNode
  readonly value: number
  /** Links to the row's subject. */
  readonly url?: string
  /** Small print under the name. */
  readonly note?: ReactNode
  /** Selects the colour of the bar. */
  readonly kind?: string
}

/**
 * A table whose rows are bars, relative to the largest value. It is read as a table and looks like a chart.
 * @param of total of the shares; default: no shares are shown
 */
export function BarTable({
  id,
  title,
  columns,
  rows,
  of,
  empty,
  hint,
  above,
}: {
  id: string
  title: string
  /** Headings of the names, and of the values. */
  columns: readonly [name: string, value: string]
  rows: readonly BarRow[]
  of?: number
  empty: string
  hint?: string
  /** Content between the title and the table. */
  above?: ReactNode
}) {
  const { dir, language } = useShop()
  const { whole, share } = figures(language)
  const largest = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <section className="stat-panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {hint && <p className="stat-hint">{hint}</p>}
      {above}
      {rows.length === 0 ? (
        <p className="stat-none">{empty}</p>
      ) : (
        <table className="stat-bars">
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col" className="stat-number">
                {columns[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, value, url, note, kind }) => (
              <tr key={key}>
                <th scope="row">
                  <Bar width={percentOf(value, largest)} rtl={dir === 'rtl'} kind={kind} />
                  <span className="stat-name">
                    {url ? <a href={url}>{name}</a> : name}
                    {note && <small>{note}</small>}
                  </span>
                </th>
                <td className="stat-number">
                  {whole(value)}
                  {of !== undefined && of > 0 && <small>{share(value / of)}</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** A bar behind a name: `width` is in percent. */
export function Bar({ width, rtl, kind }: { width: number; rtl: boolean; kind: string | undefined }) {
  const seen = Math.max(0.8, width)
  return (
    <svg className={classNames('stat-bar', kind && `stat-of-${kind}`)} aria-hidden="true">
      <rect x={rtl ? `${Math.round((100 - seen) * 10) / 10}%` : '0'} width={`${seen}%`} height="100%" rx="2" />
    </svg>
  )
}
