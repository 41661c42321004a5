import type { StatisticsReport } from '#shop/statistics/read-statistics.ts'
import { useShop } from '../shared/shop-context.tsx'
import { figures } from './figures.ts'
import { channelWords } from './report-words.ts'

/** A single bar of all visits, divided by channel. Its parts are named and numbered below it. */
export function ChannelBar({ channels }: { channels: StatisticsReport['channels'] }) {
  const { t, dir, language } = useShop()
  const { whole, share } = figures(language)
  const words = channelWords(t)
  const all = channels.reduce((sum, { visits }) => sum + visits, 0)
  if (all === 0) return null
  const parts = channels
    .filter(({ visits }) => visits > 0)
    .map((one, place, shown) => ({
      ...one,
      before: shown.slice(0, place).reduce((sum, { visits }) => sum + visits, 0),
    }))
  return (
    <>
      <svg className="stat-stack" aria-hidden="true">
        {parts.map(({ channel, visits, before }) => {
          const width = (visits / all) * 100
          const x = (before / all) * 100
          return (
            <rect
              key={channel}
              className={`stat-of-${channel}`}
              x={`${dir === 'rtl' ? 100 - x - width : x}%`}
              width={`${width}%`}
              height="100%"
            />
          )
        })}
      </svg>
      <ul className="stat-channels">
        {parts.map(({ channel, visits }) => (
          <li key={channel}>
            <svg className={`stat-mark stat-of-${channel}`} viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" />
            </svg>
            <span>{words[channel]}</span>
            <span className="stat-channel-figures">
              {whole(visits)} <small>{share(visits / all)}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
