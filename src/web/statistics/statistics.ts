import { type DashboardSettings, dashboardElementId, statisticsNamespace } from '#contract/statistics/dashboard.ts'
import { createRest, type Rest } from '../browser/adapters/rest/rest.ts'
import { RestError } from '../browser/adapters/rest/rest-error.ts'
import { inspectChart } from './inspect-chart.ts'
import { showMarkup } from './show-markup.ts'

/** The merchant's statistics page: changes the period without a page load, and updates the visitors online. */

const onlineEveryMs = 30_000

function start({ root, nonce, nonceEndpoint, language, words }: DashboardSettings): void {
  const rest = createRest({ root, nonce, nonceEndpoint })
  const report = document.getElementById('statistics-report')
  const form = document.querySelector<HTMLFormElement>('.stat-dates')
  const told = document.querySelector('.stat-told')
  if (!report || !form || !told) return
  inspectChart(report, words.inspect)
  showOnline(rest, language)

  let loading: AbortController | undefined
  const fail = (error: unknown) => {
    const { status } = error instanceof RestError ? error : { status: undefined }
    told.textContent = status === 401 || status === 403 ? words.loggedOut : words.failed
  }

  /** @param address URL of this page with the chosen period */
  async function load(address: URL): Promise<boolean> {
    if (!report) return false
    loading?.abort()
    loading = new AbortController()
    const { signal } = loading
    report.ariaBusy = 'true'
    told?.replaceChildren(words.loading)
    try {
      const query = new URLSearchParams(address.searchParams)
      query.set('language', language)
      const answer = await rest({ path: `${statisticsNamespace}/statistics?${query}`, signal, cache: 'no-store' })
      const { html, text, period } = read(answer)
      showMarkup(report, html)
      inspectChart(report, words.inspect)
      mark(period)
      told?.replaceChildren(words.shown.replace('%s', text))
      return true
    } catch (error) {
      // An aborted request was superseded.
      if (!signal.aborted) fail(error)
      return false
    } finally {
      if (!signal.aborted) report.ariaBusy = 'false'
    }
  }

  const mark = ({ name, from, to }: { name: string; from: string; to: string }) => {
    for (const link of document.querySelectorAll<HTMLElement>('.stat-periods a')) {
      if (link.dataset.period === name) link.ariaCurrent = 'true'
      else link.ariaCurrent = null
    }
    setValue(form, 'from', from)
    setValue(form, 'to', to)
  }

  const go = async (address: URL) => {
    const shown = await load(address)
    if (shown && address.href !== location.href) history.pushState(null, '', address)
  }

  document.querySelector('.stat-periods')?.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const plain =
      event instanceof MouseEvent && !(event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
    if (!link || !plain) return
    event.preventDefault()
    void go(new URL(link.href))
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const address = new URL(form.action)
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') address.searchParams.set(name, value)
    void go(address)
  })
  window.addEventListener('popstate', () => void load(new URL(location.href)))
}

/** Polls while the page is visible, and at once when it becomes visible again. */
function showOnline(rest: Rest, language: string): void {
  const text = document.getElementById('statistics-online')
  const line = text?.closest<HTMLElement>('.stat-online')
  if (!text || !line) return
  const ask = async () => {
    const query = new URLSearchParams({ language })
    const answer = await rest({ path: `${statisticsNamespace}/statistics/online?${query}`, cache: 'no-store' })
    text.textContent = textIn(answer, 'text')
    line.dataset.visitors = String(valueIn(answer, 'visitors'))
  }
  // The shown value stays: the next poll may reach the server again.
  const tryAsking = () => void ask().catch((error: unknown) => console.debug('who is online', error))
  let timer: ReturnType<typeof setInterval> | undefined
  const follow = () => {
    clearInterval(timer)
    timer = document.hidden ? undefined : setInterval(tryAsking, onlineEveryMs)
  }
  document.addEventListener('visibilitychange', () => {
    follow()
    if (!document.hidden) tryAsking()
  })
  follow()
}

/** @throws TypeError for an unknown response */
function read(answer: unknown) {
  const period = valueIn(answer, 'period')
  return {
    html: textIn(answer, 'html'),
    text: textIn(answer, 'text'),
    period: { name: textIn(period, 'name'), from: textIn(period, 'from'), to: textIn(period, 'to') },
  }
}

const valueIn = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined

function textIn(answer: unknown, name: string): string {
  const value = valueIn(answer, name)
  if (typeof value !== 'string') throw new TypeError(`the answer has no ${name}`)
  return value
}

function setValue(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.value = value
}

const printed = document.getElementById(dashboardElementId)?.textContent
// Proof of the type: the server prints it from the same type, into its own page.
if (printed) start(JSON.parse(printed) as DashboardSettings)
