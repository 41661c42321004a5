import type { Page } from 'playwright-core'

/**
 * What a page loses when its window is narrow or its text is large: it scrolls sideways, or cuts text off.
 * @returns one line for each
 */
export async function lost(page: Page): Promise<string[]> {
  return page.evaluate(lostFrom)
}

/** Lines, letters, words and paragraphs further apart, as far as WCAG 1.4.12 wants it. Policies do not know of such sheets. */
export async function spread(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-block-end: 2em !important }`,
    )
    document.adoptedStyleSheets = [sheet]
  })
}

/** Letters twice as large and nothing else, as some browsers zoom. */
export async function enlarge(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 200% !important }')
    document.adoptedStyleSheets = [sheet]
  })
}

export async function asItWas(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.adoptedStyleSheets = []
  })
}

/** Runs in the page. */
function lostFrom(): string[] {
  const faults: string[] = []
  const tell = (element: Element) => `${element.outerHTML.split('>')[0]?.slice(0, 140)}>`
  const root = document.documentElement
  const width = root.clientWidth
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  /** What may be wider than the window, or cut: it scrolls by itself, or is there for screen readers alone. */
  const apart = (element: Element): boolean => {
    for (let it: Element | null = element; it && it !== document.body; it = it.parentElement) {
      const { overflowX, position, clipPath, textOverflow } = getComputedStyle(it)
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') return true
      if (clipPath !== 'none' && position === 'absolute') return true
      if (position === 'fixed' && !shown(it)) return true
    }
    return false
  }
  if (root.scrollWidth > width) {
    const wide = [...document.body.querySelectorAll('*')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return right - left > 1 && (right > width + 1 || left < -1) && shown(element) && !apart(element)
    })
    const outermost = wide.filter((element) => !wide.some((other) => other !== element && other.contains(element)))
    faults.push(`${root.scrollWidth} wide in ${width}: ${outermost.slice(0, 4).map(tell).join(' ')}`)
  }
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const text = [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim())
    if (!text || !shown(element) || apart(element)) continue
    const range = document.createRange()
    range.selectNodeContents(element)
    const box = range.getBoundingClientRect()
    for (let it: Element | null = element; it && it !== document.body; it = it.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(it)
      if (overflowX === 'visible' && overflowY === 'visible') continue
      const { left, right, top, bottom } = it.getBoundingClientRect()
      const cut =
        (overflowX !== 'visible' && (box.right > right + 2 || box.left < left - 2)) ||
        ((overflowY === 'hidden' || overflowY === 'clip') && (box.bottom > bottom + 2 || box.top < top - 2))
      if (cut) faults.push(`cut off: “${element.textContent?.trim().slice(0, 40)}” by ${tell(it)}`)
      if (overflowY === 'auto' || overflowY === 'scroll') break
    }
  }
  return faults
}
