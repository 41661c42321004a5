import type { Browser, Page } from 'playwright-core'
import { forWholeShop, pointerAtRest } from '#tests/support/browser.ts'

/** What a visitor feels of a page's speed, as the browser itself counts it. */

export type Shift = { readonly value: number; readonly what: string }

/** Notes every shift of layout from the first paint on, with what has moved. To be called before the page is opened. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: { value: number; what: string }[] = []
    Reflect.set(window, 'shiftsSeen', shifts)
    const name = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${[...node.classList].join('.')}#${node.id}` : String(node?.nodeName)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // Proof of the cast: entries of this type are LayoutShift, which the compiler's library does not know.
        const shift = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
        }
        if (shift.hadRecentInput) continue
        const rect = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`
        const sources = shift.sources.map(
          ({ node, previousRect, currentRect }) => `${name(node)} ${rect(previousRect)} → ${rect(currentRect)}`,
        )
        shifts.push({ value: shift.value, what: sources.join('; ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export function shiftsOf(page: Page): Promise<readonly Shift[]> {
  // Two frames: what was laid out last is in the list by then.
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    return Reflect.get(window, 'shiftsSeen') as Shift[]
  })
}

/** Notes interactions as Interaction to Next Paint counts them: from the press to the picture that shows that it was heard. */
export async function noteInteractions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { name: string; duration: number }[] = []
    Reflect.set(window, 'interactionsSeen', seen)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Number(Reflect.get(entry, 'interactionId')) > 0) seen.push({ name: entry.name, duration: entry.duration })
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
}

/** Does something, and gives how long the longest interaction meanwhile took until the next paint, in milliseconds. */
export async function interactionMs(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    Reflect.get(window, 'interactionsSeen').length = 0
  })
  await act()
  return page.evaluate(async () => {
    // What took less than 16 ms is in no list. Entries come once their frame is shown, at the latest with the next idle moment.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }))
    const seen = Reflect.get(window, 'interactionsSeen') as { duration: number }[]
    return Math.max(0, ...seen.map(({ duration }) => duration))
  })
}

/** How many times slower than this machine the page's processor is. */
export async function slowedDown(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
}

export type ScriptWork = {
  /** Milliseconds in scripts until the page has come to rest. */
  readonly scriptMs: number
  /** What tasks took beyond 50 ms each, after the first paint. */
  readonly blockingMs: number
}

/** Opens a page and counts what its scripts take before anything is touched. @throws when anything it asks for is refused */
export async function scriptWork(
  browser: Browser,
  url: string,
  { slowdown, cookies = [] }: { slowdown: number; cookies?: readonly { name: string; value: string }[] },
): Promise<ScriptWork> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true })
  try {
    await context.addCookies(forWholeShop(cookies, url))
    const page = await context.newPage()
    await pointerAtRest(page)
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await session.send('Performance.enable')
    await page.addInitScript(() => {
      const tasks: { start: number; ms: number }[] = []
      Reflect.set(window, 'longTasks', tasks)
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, ms: duration })
      }).observe({ type: 'longtask', buffered: true })
    })
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    // A page whose calls are refused does other work than a visitor's.
    if (refused.length > 0) throw new Error(`${url} was refused: ${refused.join(', ')}`)
    const { metrics } = await session.send('Performance.getMetrics')
    const blockingMs = await page.evaluate(() => {
      const first = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
      const tasks = Reflect.get(window, 'longTasks') as { start: number; ms: number }[]
      return tasks.filter(({ start }) => start >= first).reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0)
    })
    const script = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
    return { scriptMs: script * 1000, blockingMs }
  } finally {
    await context.close()
  }
}
