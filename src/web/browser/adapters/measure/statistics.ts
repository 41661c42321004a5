import {
  campaignParameter,
  type StatisticsScript,
  staffBrowserKey,
  statsConfigId,
} from '#contract/statistics/statistics.ts'

/** What a page does while it is looked at: it says so. */
const stillHereMs = 30_000

/** Old browsers have it elsewhere, and say it otherwise. */
type Wishes = { doNotTrack?: unknown; msDoNotTrack?: unknown; globalPrivacyControl?: unknown }

/**
 * Reports this page once as looked at, and from then on every half a minute that it still is. Nothing is kept in the browser,
 * no cookie is sent, and nobody hears of what fails.
 * @param permission asked anew each time
 */
export function startStatistics({ allowed }: { allowed: () => boolean }): void {
  const script = settings()
  if (!script) {
    console.debug('The page does not say how its visits are counted.')
    return
  }
  const { hitRequestUrl, keepOnlineRequestUrl, option } = script
  if (isStaffBrowser(option.staff)) return

  const may = () => !isUnwanted(option.dntEnabled) && allowed()
  let last = 0
  let timer = 0

  /** @param arrived the visitor came to this page just now, not back to it */
  const hit = (arrived: boolean) => {
    last = Date.now()
    if (!option.cacheCompatibility || !may()) return
    const url = new URL(hitRequestUrl, location.href)
    url.searchParams.set('referred', arrived ? document.referrer : '')
    url.searchParams.set('_', String(last))
    if (arrived) for (const piece of campaign()) url.search += `&${piece}`
    void send(url)
  }
  const ping = () => {
    last = Date.now()
    if (may()) void send(keepOnlineRequestUrl)
  }
  const watch = () => {
    clearInterval(timer)
    if (document.hidden) return
    if (last === 0) hit(true)
    else if (Date.now() - last >= stillHereMs) ping()
    timer = window.setInterval(ping, stillHereMs)
  }
  document.addEventListener('visibilitychange', watch)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    hit(false)
    watch()
  })
  watch()
}

/** @returns null where there are none, or none that can be used */
function settings(): StatisticsScript | null {
  try {
    const read = JSON.parse(document.getElementById(statsConfigId)?.textContent ?? 'null')
    return read?.hitRequestUrl && read.keepOnlineRequestUrl && read.option ? read : null
  } catch {
    return null
  }
}

/** Remembers a browser of somebody who works in the shop, and knows it again on pages that are the same for everybody. */
function isStaffBrowser(staff: boolean | undefined): boolean {
  try {
    if (staff) localStorage.setItem(staffBrowserKey, '1')
    return localStorage.getItem(staffBrowserKey) !== null
  } catch {
    return staff === true
  }
}

function isUnwanted(dntEnabled: boolean): boolean {
  const browser = navigator as Wishes
  const dnt = [browser.doNotTrack, browser.msDoNotTrack, (window as Wishes).doNotTrack]
  return browser.globalPrivacyControl === true || (dntEnabled && dnt.some((one) => /^(1|yes)$/.test(String(one))))
}

/** What a campaign's link says, as it is written. Numbers that name one click stay here. */
function campaign(): string[] {
  return location.search
    .slice(1)
    .split('&')
    .flatMap((piece) => {
      const [name = '', value] = piece.split('=')
      return value !== undefined && campaignParameter.test(name) ? [name.startsWith('utm') ? piece : `${name}=1`] : []
    })
}

async function send(url: string | URL): Promise<void> {
  try {
    const answer = await fetch(url, { credentials: 'omit', keepalive: true, cache: 'no-store', priority: 'low' })
    // An answer that nobody reads keeps its connection, and the page is never at rest.
    await answer.text()
  } catch {
    // Blocked, or offline: a visit that is not counted is nobody's trouble.
  }
}
