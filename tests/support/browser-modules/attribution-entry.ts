import { startAttribution } from '#web/browser/adapters/measure/attribution/start-attribution.ts'

/** What the page's own entry for measuring does, with the test as the one that may allow it. */
startAttribution(Reflect.get(window, 'wc_order_attribution'), {
  allowed: () => Reflect.get(window, 'mayTrack') !== false,
})
