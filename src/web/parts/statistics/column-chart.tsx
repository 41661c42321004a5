import { useShop } from '../shared/shop-context.tsx'
import { chartScale, everySecond, labelledPlaces } from './chart-scale.ts'
import { TimeLabel } from './time-label.tsx'

export type Column = {
  readonly key: string
  readonly label: string
  readonly short: string
  readonly value: number
  /** The localized value. */
  readonly text: string
}

/** A column chart, with its figures in a table below. */
export function ColumnChart({
  id,
  title,
  columns,
  names,
  labels = 6,
  read,
  hint,
}: {
  id: string
  title: string
  columns: readonly Column[]
  names: readonly [label: string, value: string]
  /** The maximum number of labels under it. */
  labels?: number
  /** Formats the number at the top of the chart. */
  read: (value: number) => string
  hint?: string
}) {
  const { t, dir } = useShop()
  const count = columns.length
  const { top } = chartScale(Math.max(0, ...columns.map(({ value }) => value)))
  const across = (place: number) => ((dir === 'rtl' ? count - 1 - place : place) / count) * 100
  const labelled = labelledPlaces(count, labels)
  const fewer = everySecond(labelled)
  const highest = columns.reduce<Column | null>((best, one) => (one.value > (best?.value ?? 0) ? one : best), null)
  return (
    <section className="stat-panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {hint && <p className="stat-hint">{hint}</p>}
      <svg
        className="stat-columns"
        role="img"
        aria-label={highest ? `${title}: ${t('peak at %s', `${highest.label}, ${highest.text}`)}` : title}
      >
        <line className="stat-grid" x1="0" x2="100%" y1="100%" y2="100%" />
        <line className="stat-grid" x1="0" x2="100%" y1="0" y2="0" />
        {/* Without values above zero the chart's height is arbitrary. */}
        <text
          x={dir === 'rtl' ? '100%' : '0'}
          y={highest ? '0' : '100%'}
          dy="-0.35em"
          className={dir === 'rtl' ? 'stat-end' : 'stat-start'}
        >
          {read(highest ? top : 0)}
        </text>
        {columns.map(({ key, label, value, text }, place) => (
          <rect
            key={key}
            className={value > 0 ? 'stat-column' : 'stat-column stat-column-none'}
            x={`${across(place) + 12 / count}%`}
            width={`${76 / count}%`}
            y={`${100 - Math.max(value > 0 ? 1.5 : 0, (value / top) * 100)}%`}
            height={`${Math.max(value > 0 ? 1.5 : 0, (value / top) * 100)}%`}
          >
            <title>{`${label}: ${text}`}</title>
          </rect>
        ))}
      </svg>
      <svg className="stat-times" aria-hidden="true">
        {columns.map(
          ({ key, short }, place) =>
            labelled.includes(place) && (
              <TimeLabel key={key} at={across(place) + 50 / count} text={short} wide={!fewer.includes(place)} />
            ),
        )}
      </svg>
      <details className="stat-table">
        <summary>{t('Show as a table')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{names[0]}</th>
              <th scope="col">{names[1]}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ key, label, text }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
