import { useShop } from '../shared/shop-context.tsx'
import { chartScale, everySecond, labelledPlaces } from './chart-scale.ts'
import { figures } from './figures.ts'
import { TimeLabel } from './time-label.tsx'

/** A point of the chart, in the order of time. */
export type TrafficPoint = {
  /** Long form: Monday, 3 November 2026. */
  readonly label: string
  /** Under the chart: 3 Nov. */
  readonly short: string
  /** Null: in the future. */
  readonly visitors: number | null
  readonly views: number | null
  /** In progress. */
  readonly unfinished: boolean
}

/** The height of the drawing, which is stretched to the available space. */
const height = 100
const band = 10

/**
 * Visitors and views over time. The drawing is stretched without its labels, which are HTML text; a table below has the
 * same figures. Periods in progress are dashed.
 */
export function TrafficChart({ points, heading }: { points: readonly TrafficPoint[]; heading: string }) {
  const { t, dir, language } = useShop()
  const { whole, short: brief } = figures(language)
  const scale = chartScale(Math.max(0, ...points.map(({ views, visitors }) => Math.max(views ?? 0, visitors ?? 0))))
  const rtl = dir === 'rtl'
  const count = points.length
  const width = count * band
  const across = (place: number) => (rtl ? count - 1 - place + 0.5 : place + 0.5)
  const drawn = (of: 'visitors' | 'views') =>
    points.flatMap((point, place) => {
      const value = point[of]
      return value === null ? [] : [{ x: across(place) * band, y: height - (value / scale.top) * height, point }]
    })
  const labelled = labelledPlaces(count, 7)
  const fewer = everySecond(labelled)
  return (
    <figure className="stat-traffic">
      <figcaption className="stat-legend">
        <span className="stat-key stat-key-visitors">{t('Visitors')}</span>
        <span className="stat-key stat-key-views">{t('Page views')}</span>
      </figcaption>
      <div className="stat-plot" data-places={count}>
        <svg className="stat-drawing" role="img" aria-label={heading}>
          {scale.ticks.map((tick) => {
            const y = `${100 - (tick / scale.top) * 100}%`
            return <line key={tick} className="stat-grid" x1="0" x2="100%" y1={y} y2={y} />
          })}
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            <Series className="stat-views" places={drawn('views')} />
            <Series className="stat-visitors" places={drawn('visitors')} />
          </svg>
          {(['views', 'visitors'] as const).map((of) =>
            drawn(of)
              .filter(({ point }, place, all) => point.unfinished || all.length === 1 || (place === 0 && count === 1))
              .map(({ x, y }) => (
                <circle key={of} className={`stat-dot stat-${of}`} cx={`${(x / width) * 100}%`} cy={`${y}%`} r="4" />
              )),
          )}
          {points.map(
            ({ label, visitors, views }, place) =>
              visitors !== null &&
              views !== null && (
                <rect
                  key={label}
                  className="stat-band"
                  x={`${((across(place) - 0.5) / count) * 100}%`}
                  width={`${100 / count}%`}
                  height="100%"
                >
                  <title>
                    {`${label} – ${t('Visitors')}: ${whole(visitors)}, ${t('Page views')}: ${whole(views)}`}
                  </title>
                </rect>
              ),
          )}
        </svg>
        <svg className="stat-side" aria-hidden="true">
          {scale.ticks.slice(1).map((tick) => (
            <text
              key={tick}
              x={rtl ? '100%' : '0'}
              y={`${100 - (tick / scale.top) * 100}%`}
              dy="-0.35em"
              className={rtl ? 'stat-end' : 'stat-start'}
            >
              {brief(tick)}
            </text>
          ))}
        </svg>
      </div>
      <svg className="stat-times" aria-hidden="true">
        {points.map(
          ({ label, short }, place) =>
            labelled.includes(place) && (
              <TimeLabel key={label} at={(across(place) / count) * 100} text={short} wide={!fewer.includes(place)} />
            ),
        )}
      </svg>
      <details className="stat-table">
        <summary>{t('Show as a table')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Time')}</th>
              <th scope="col">{t('Visitors')}</th>
              <th scope="col">{t('Page views')}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(
              ({ label, visitors, views, unfinished }) =>
                visitors !== null &&
                views !== null && (
                  <tr key={label}>
                    <th scope="row">{unfinished ? t('%s (until now)', label) : label}</th>
                    <td>{whole(visitors)}</td>
                    <td>{whole(views)}</td>
                  </tr>
                ),
            )}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

type Place = { readonly x: number; readonly y: number; readonly point: TrafficPoint }

/** A line over its area; the line to a period in progress is separate. */
function Series({ places, className }: { places: readonly Place[]; className: string }) {
  const over = places.filter(({ point }) => !point.unfinished)
  const path = (some: readonly Place[]) =>
    some.map(({ x, y }, place) => `${place ? 'L' : 'M'}${x} ${round(y)}`).join('')
  const first = places[0]
  const last = places.at(-1)
  const open = places.filter(({ point }, place) => point.unfinished || places[place + 1]?.point.unfinished)
  return (
    <g className={className}>
      {first && last && places.length > 1 && (
        <path className="stat-shade" d={`${path(places)}L${last.x} ${height}L${first.x} ${height}Z`} />
      )}
      {over.length > 1 && <path className="stat-line" d={path(over)} />}
      {open.length > 1 && <path className="stat-line stat-open" d={path(open)} />}
    </g>
  )
}

const round = (value: number) => Math.round(value * 100) / 100
