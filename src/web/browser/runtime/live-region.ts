import { miniCartHooks } from '#contract/shared/hooks.ts'

const relevantAfterMs = 1000

function region(): HTMLElement {
  const existing = document.querySelector<HTMLElement>(`.${miniCartHooks.liveRegionClass}`)
  if (existing) return existing
  const created = document.createElement('div')
  created.className = `${miniCartHooks.liveRegionClass} screen-reader-text`
  created.role = 'status'
  document.body.append(created)
  return created
}

/** Clears the announcement, so that the same text is announced again. */
export function clearLiveRegion(): void {
  const live = region()
  live.textContent = ''
  live.removeAttribute('aria-relevant')
}

/** Announces a text to screen readers. */
export function announce(text: string | undefined): void {
  if (!text) return
  const live = region()
  live.textContent = text
  setTimeout(() => live.setAttribute('aria-relevant', 'all'), relevantAfterMs)
}
