import { useShop } from '../shared/shop-context.tsx'
import { figures } from './figures.ts'

export type KeyFigure = {
  readonly key: string
  readonly name: string
  readonly text: string
  readonly now: number
  /** Value of the previous period; null: there is nothing to compare with. */
  readonly before: { readonly value: number; readonly text: string } | null
  /** True if both periods are complete, so that a change can be shown. */
  readonly comparable: boolean
}

/** The key figures, each with its change. A sign and an arrow show the direction, not colour alone. */
export function KeyFigures({ all }: { all: readonly KeyFigure[] }) {
  const { t, language } = useShop()
  const { change } = figures(language)
  return (
    <dl className="stat-figures">
      {all.map(({ key, name, text, now, before, comparable }) => {
        const by = comparable && before && before.value > 0 ? now / before.value - 1 : null
        const way = by === null || Math.abs(by) < 0.005 ? 'same' : by > 0 ? 'up' : 'down'
        return (
          <div key={key} className="stat-figure">
            <dt>{name}</dt>
            <dd>
              <span className="stat-value">{text}</span>
              {before && (
                <span className="stat-change" data-way={way}>
                  {by !== null && (
                    <span className="stat-by">
                      {way !== 'same' && <Arrow up={way === 'up'} />}
                      {change(by)}
                    </span>
                  )}
                  <span className="stat-before">{t('before: %s', before.text)}</span>
                </span>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Arrow({ up }: { up: boolean }) {
  return (
    <svg className="stat-arrow" viewBox="0 0 10 10" aria-hidden="true">
      <path d={up ? 'M5 1l4 7H1Z' : 'M5 9 1 2h8Z'} />
    </svg>
  )
}
