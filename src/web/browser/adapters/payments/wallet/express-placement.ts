import { walletHooks } from '#contract/payments/constants.ts'

/** Interval at which changes by scripts of the page's author are detected. */
const everyMs = 2000
const kept = new WeakSet<Element>()

/**
 * Keeps the express button in the place that the page's author provides, also after that place was replaced. Without a
 * place it stays where the server rendered it.
 * @param selector CSS selector from the shop's settings
 */
export function keepExpressPlace(selector: string): void {
  const place = document.getElementById(walletHooks.expressContainerId)
  if (!place || selector === '' || kept.has(place)) return
  kept.add(place)
  const area = place.parentElement
  const put = () => {
    const home = findHome(selector)
    if (!home || home.contains(place)) return
    home.append(place)
    if (area) area.hidden = true
  }
  put()
  setInterval(put, everyMs)
}

function findHome(selector: string): Element | null {
  try {
    return document.querySelector(selector)
  } catch {
    // Logged once: the interval checks again.
    if (!told.has(selector)) console.error(`the express button's place is no selector: ${selector}`)
    told.add(selector)
    return null
  }
}

const told = new Set<string>()
