import type { Page } from 'playwright-core'

const atMost = 250

/** What is wrong with one stop of the focus, and where it is. */
type Stop = { readonly name: string; readonly fault: string | null; readonly end: boolean }

/**
 * Presses Tab from the top of the page until the focus has left it. Every stop must be seen, ringed, uncovered, and come
 * after the one before it: in the page, and for who reads from the top and from the side where lines begin.
 */
export async function walkByTab(page: Page): Promise<{ stops: string[]; faults: string[] }> {
  await page.evaluate(() => Reflect.deleteProperty(window, 'stopBefore'))
  const stops: string[] = []
  const faults: string[] = []
  while (stops.length < atMost) {
    await page.keyboard.press('Tab')
    const { name, fault, end } = await page.evaluate(stop)
    if (end) return { stops, faults }
    stops.push(name)
    if (fault !== null) faults.push(`“${name}” ${fault}`)
  }
  return { stops, faults: [...faults, `the focus is still on the page after ${atMost} steps: ${stops.slice(-4)}`] }
}

/** Runs in the page. */
async function stop(): Promise<Stop> {
  // What scrolls or comes into sight for the focus has done so a frame later.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const element = document.activeElement
  const before: unknown = Reflect.get(window, 'stopBefore')
  if (!(element instanceof HTMLElement) || element === document.body) return { name: '', fault: null, end: true }
  const labels = 'labels' in element && element.labels instanceof NodeList ? element.labels : []
  const words =
    element.ariaLabel ??
    document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent ??
    labels[0]?.textContent ??
    element.textContent ??
    ''
  const name = words.replace(/\s+/g, ' ').trim().slice(0, 60) || element.id || element.outerHTML.slice(0, 80)
  const told = (fault: string | null): Stop => ({ name, fault, end: false })
  // Some browsers go on from the last control to the first.
  if (before instanceof Element && element.classList.contains('skip-link')) return { name, fault: null, end: true }
  const box = element.getBoundingClientRect()
  const top = box.top + scrollY
  const wasAt: unknown = Reflect.get(window, 'stopBox')
  Object.assign(window, { stopBefore: element, stopBox: { ...box.toJSON(), top, bottom: top + box.height } })
  // What a frame holds is drawn by the frame.
  if (element instanceof HTMLIFrameElement) return told(null)

  if (element.tabIndex > 0) return told('has a place of its own in the order')
  if (box.width < 2 || box.height < 2) return told('is on nothing to be seen')
  const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  if (!inside) return told('is outside the window')

  const xs = [0.1, 0.5, 0.9].map((part) => box.left + box.width * part)
  const ys = [0.2, 0.5, 0.8].map((part) => box.top + box.height * part)
  const uncovered = xs.some((x) =>
    ys.some((y) => {
      const hit = document.elementFromPoint(x, y)
      return (
        hit !== null && (element.contains(hit) || hit.contains(element) || [...labels].some((it) => it.contains(hit)))
      )
    }),
  )
  if (!uncovered) {
    const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    return told(`is under ${over?.outerHTML.slice(0, 80)}`)
  }
  // The ring may be drawn around what stands for the control.
  const ringed = [element, element.parentElement, element.parentElement?.parentElement].some((it) => {
    if (!it) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  })
  if (!ringed) return told('has no ring')

  if (!(before instanceof Element) || !before.isConnected) return told(null)
  if (!(before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING))
    return told('goes back in the page')
  const main = document.querySelector('main')
  if (!main?.contains(element) || !main.contains(before)) return told(null)
  // `stopBox` is what this function wrote.
  const was = wasAt as { left: number; right: number; top: number; bottom: number }
  const above = top + box.height <= was.top + 1
  const beyond = document.dir === 'rtl' ? box.right <= was.left + 1 : box.left >= was.right - 1
  return told(above && !beyond ? `goes back on the screen from “${before.textContent?.trim().slice(0, 40)}”` : null)
}
