import { useShop } from '../shared/shop-context.tsx'
import { Flag, flagOf } from '../translation/flag.tsx'
import { BarTable } from './bar-table.tsx'
import { ChannelBar } from './channel-bar.tsx'
import { ColumnChart } from './column-chart.tsx'
import type { DashboardFacts } from './dashboard-facts.ts'
import { figures } from './figures.ts'
import { hourText } from './report-dates.ts'
import { channelWords, deviceWords, nameOf } from './report-words.ts'

/** The number of rows of a list: further rows have little meaning. */
const shown = 10

/** The group of values beyond the limit of their kind. */
const rest = '(other)'

/** The panels of a period's visitors, one for each dimension. */
export function ReportPanels({ facts }: { facts: DashboardFacts }) {
  const { report, titles } = facts
  const { t, language } = useShop()
  const { whole, short } = figures(language)
  const { totals } = report
  const channels = channelWords(t)
  const devices = deviceWords(t)
  const unknown = t('Unknown')
  const named = (value: string) => (value === rest ? t('Others') : <bdi>{value}</bdi>)
  const nothing = t('No data in this period yet.')
  return (
    <>
      <div className="stat-panels stat-panels-wide">
        <BarTable
          id="stat-pages"
          title={t('Pages')}
          columns={[t('Page'), t('Page views')]}
          of={totals.views}
          empty={nothing}
          rows={report.pages.slice(0, shown).map(({ path, type, views }) => {
            const title = titles.get(path) ?? (path === '/' ? t('Home') : undefined)
            return {
              key: `${type} ${path}`,
              name: title ?? (path === rest ? t('Others') : <bdi dir="ltr">{path}</bdi>),
              value: views,
              ...(isOwn(path) ? { url: path } : {}),
              ...(title === undefined ? {} : { note: <bdi dir="ltr">{path}</bdi> }),
            }
          })}
        />
        <BarTable
          id="stat-sources"
          title={t('Sources')}
          columns={[t('Source'), t('Visits')]}
          of={totals.visits}
          empty={nothing}
          above={<ChannelBar channels={report.channels} />}
          rows={report.sources.slice(0, shown).map(({ source, channel, visits }) => ({
            key: `${channel} ${source}`,
            name: source === '(direct)' ? channels.direct : named(source),
            value: visits,
            kind: channel,
            ...(source === '(direct)'
              ? { note: t('typed in, bookmarked or from an app') }
              : { note: channels[channel] }),
          }))}
        />
      </div>
      <div className="stat-panels">
        <VisitorTable
          id="stat-countries"
          title={t('Countries')}
          column={t('Country')}
          total={totals.visitors}
          rows={report.countries.slice(0, shown).map(({ country, visitors, guessed }) => ({
            key: country,
            name: <CountryName country={country} unknown={unknown} />,
            value: visitors,
            ...(guessed > 0
              ? {
                  note:
                    guessed >= visitors
                      ? t('guessed from the language')
                      : t('%s guessed from the language', whole(guessed)),
                }
              : {}),
          }))}
        />
        <VisitorTable
          id="stat-devices"
          title={t('Devices')}
          column={t('Device')}
          total={totals.visitors}
          rows={report.devices.map(({ device, visitors }) => ({
            key: device,
            name: devices[device] ?? (device || unknown),
            value: visitors,
          }))}
        />
        <BarTable
          id="stat-campaigns"
          title={t('Campaigns')}
          columns={[t('Campaign'), t('Visits')]}
          empty={t(
            'No visit came from a campaign. Add utm_source, utm_medium and utm_campaign to the links you share.',
          )}
          rows={report.campaigns.slice(0, shown).map(({ campaign, source, medium, visits }) => ({
            key: `${campaign} ${source} ${medium}`,
            name: named(campaign),
            value: visits,
            note: <bdi>{[source, medium].filter(Boolean).join(' / ')}</bdi>,
          }))}
        />
        <BarTable
          id="stat-searches"
          title={t('Searches in the shop')}
          columns={[t('Search term'), t('Visitors')]}
          hint={t('Only terms that at least three visitors have searched for.')}
          empty={nothing}
          rows={report.searches.slice(0, shown).map(({ term, visitors }) => ({
            key: term,
            name: named(term),
            value: visitors,
          }))}
        />
        <ColumnChart
          id="stat-hours"
          title={t('Hours of the day')}
          names={[t('Hour'), t('Visitors')]}
          read={short}
          columns={report.hours.map(({ hour, visitors }) => ({
            key: String(hour),
            label: hourText(language, hour),
            short: hourText(language, hour),
            value: visitors,
            text: whole(visitors),
          }))}
        />
        <VisitorTable
          id="stat-languages"
          title={t('Languages')}
          column={t('Language')}
          total={totals.visitors}
          rows={report.languages.slice(0, shown).map((one) => ({
            key: one.language,
            name: one.language ? nameOf(language, 'language', one.language) : unknown,
            value: one.visitors,
          }))}
        />
        <VisitorTable
          id="stat-browsers"
          title={t('Browsers')}
          column={t('Browser')}
          total={totals.visitors}
          rows={report.browsers.slice(0, shown).map(({ browser, visitors, versions }) => ({
            key: browser,
            name: browser || unknown,
            value: visitors,
            note: (
              <bdi dir="ltr">
                {versions
                  .filter(({ version }) => version !== '')
                  .slice(0, 3)
                  .map(({ version, visitors: those }) => `${version} (${whole(those)})`)
                  .join(' · ')}
              </bdi>
            ),
          }))}
        />
        <VisitorTable
          id="stat-systems"
          title={t('Operating systems')}
          column={t('System')}
          total={totals.visitors}
          rows={report.systems.slice(0, shown).map(({ system, visitors }) => ({
            key: system,
            name: system || unknown,
            value: visitors,
          }))}
        />
        {report.currencies.length > 1 && (
          <VisitorTable
            id="stat-currencies"
            title={t('Currencies')}
            column={t('Currency')}
            total={totals.visitors}
            rows={report.currencies.slice(0, shown).map(({ currency, visitors }) => ({
              key: currency,
              name: currency ? nameOf(language, 'currency', currency) : unknown,
              value: visitors,
              note: currency,
            }))}
          />
        )}
      </div>
    </>
  )
}

/** The visitors of a period by one dimension, as shares of all. */
function VisitorTable({ column, total, ...table }: VisitorTableProps) {
  const { t } = useShop()
  return <BarTable columns={[column, t('Visitors')]} of={total} empty={t('No data in this period yet.')} {...table} />
}

type VisitorTableProps = Pick<Parameters<typeof BarTable>[0], 'id' | 'title' | 'rows'> & {
  /** The heading of the dimension. */
  readonly column: string
  readonly total: number
}

/** Paths come from visitors' browsers: one that leads to another site is not linked. */
const isOwn = (path: string) => /^\/(?![/\\])/.test(path)

function CountryName({ country, unknown }: { country: string; unknown: string }) {
  const { language } = useShop()
  if (!/^[A-Z]{2}$/.test(country)) return unknown
  const tag = `und-${country}`
  return (
    <span className="stat-country">
      {flagOf(tag) ? (
        <Flag tag={tag} />
      ) : (
        <span className="stat-code" aria-hidden="true">
          {country}
        </span>
      )}
      {nameOf(language, 'region', country)}
    </span>
  )
}
