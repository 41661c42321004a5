import { allOf, closestTo } from '../../browser/runtime/elements.ts'
import { listen } from '../../browser/runtime/events.ts'
import { isPlainClick } from '../../browser/runtime/plain-click.ts'

/** The tabs of a product page: by press, by arrow keys, and by the URL's fragment. Panels are found by id. */
export function startTabs(element: HTMLElement): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const tabs = allOf('[role=tab]', element)

  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      const active = tab === chosen
      tab.setAttribute('aria-selected', String(active))
      tab.tabIndex = active ? 0 : -1
      tab.parentElement?.classList.toggle('active', active)
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
      if (panel) panel.hidden = !active
    }
  }
  const follow = () => {
    const wanted = tabs.find((tab) => tab.getAttribute('href') === location.hash)
    if (wanted) choose(wanted)
  }

  // Scripts press tabs through jQuery, which calls only its own listeners for a link.
  const deaf = listen(element, 'click', (event) => {
    const tab = closestTo(event, '[role=tab]')
    if (!tab || !isPlainClick(event)) return
    event.preventDefault()
    choose(tab)
  })
  element.addEventListener(
    'keydown',
    (event) => {
      const focused = closestTo(event, '[role=tab]')
      const place = focused ? tabs.indexOf(focused) : -1
      if (place < 0 || event.altKey || event.ctrlKey || event.metaKey) return
      const onwards = document.dir === 'rtl' ? -1 : 1
      const goal = new Map([
        ['ArrowLeft', place - onwards],
        ['ArrowRight', place + onwards],
        ['Home', 0],
        ['End', -1],
        [' ', place],
      ]).get(event.key)
      const tab = goal === undefined ? undefined : tabs.at(goal % tabs.length)
      if (!tab) return
      event.preventDefault()
      choose(tab)
      tab.focus()
    },
    { signal },
  )
  addEventListener('hashchange', follow, { signal })
  // From here on the panels' own state decides which is visible, and no longer the URL alone.
  element.closest('.wc-tabs-wrapper')?.classList.add('is-live')
  follow()
  return () => {
    deaf()
    ended.abort()
  }
}
