import { cartEvents } from '#contract/shared/events.ts'
import { listen, watchForJQuery } from '#web/browser/runtime/events.ts'
import { defineIslands } from '#web/browser/runtime/island-element.ts'
import { replaceMarkup } from '#web/browser/runtime/replace-markup.ts'

defineIslands({
  counter: () => import('./islands.tsx').then((it) => it.Counter),
  mirror: () => import('./islands.tsx').then((it) => it.Mirror),
  fragile: () => import('./islands.tsx').then((it) => it.Fragile),
  listener: () => import('./islands.tsx').then((it) => it.Listener),
  outer: () => import('./islands.tsx').then((it) => it.Outer),
  lost: () => import('./lost-island.tsx').then((it) => it.Lost),
})

watchForJQuery()
listen(document.body, cartEvents.refreshFragments, () => {})
Object.assign(window, { replaceMarkup })
