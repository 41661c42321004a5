import { defineIslands } from '#web/browser/runtime/island-element.ts'

defineIslands({ opener: () => import('./layer-page.tsx').then((it) => it.Opener) })
