import {
  campaignParameter,
  type StatisticsScript,
  staffBrowserKey,
  statsConfigId,
} from '#contract/statistics/statistics.ts'

/** Interval of the hits of a visible page. */
const stillHereMs = 30_000

/** Old browsers have the signal elsewhere, and with other values. */
type Wishes = { doNotTrack?: unknown; msDoNotTrack?: unknown; globalPrivacyControl?: unknown }

/**
 * Reports a page view once, and again every 30 seconds while the page is visible. It stores nothing in the browser,
 * sends no cookie, and ignores failures.
 * @param permission checked before each hit
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

  /** @param arrived the visitor opened this page just now and did not return to it */
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

/** @returns null without usable settings */
function settings(): StatisticsScript | null {
  try {
    const read = JSON.parse(document.getElementById(statsConfigId)?.textContent ?? 'null')
    return read?.hitRequestUrl && read.keepOnlineRequestUrl && read.option ? read : null
  } catch {
    return null
  }
}

/** Marks a staff browser, and recognizes it on pages that are cached for everybody. */
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

/** Returns the campaign parameters of the URL, unchanged. Click ids are not sent. */
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
    // An unread response keeps its connection, and the page never becomes idle.
    await answer.text()
  } catch {
    // Blocked, or offline: an uncounted visit needs no handling.
  }
}
