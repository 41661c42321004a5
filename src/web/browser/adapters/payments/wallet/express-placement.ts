import { walletHooks } from '#contract/payments/constants.ts'

/** What scripts of the page's author do to their own markup is looked after at this rhythm. */
const everyMs = 2000
const kept = new WeakSet<Element>()

/**
 * Keeps the express button in the place that the page's author has made for it, also when that comes anew. Where there is
 * none it stays where the server has put it.
 * @param selector CSS, by the shop's settings
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
    // Said once: the interval asks again.
    if (!told.has(selector)) console.error(`the express button's place is no selector: ${selector}`)
    told.add(selector)
    return null
  }
}

const told = new Set<string>()
