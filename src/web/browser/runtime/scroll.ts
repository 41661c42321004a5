import { motionMs } from './motion.ts'

const offsetPx = 100

/**
 * Scrolls until the element is 100 px below the top, or below a higher header, within a second; at once with reduced
 * motion.
 */
export function scrollToElement(target: Element, offset = offsetPx, durationMs = 1000): void {
  const from = scrollY
  const { scrollPaddingTop } = getComputedStyle(document.documentElement)
  const room = Math.max(offset, Number.parseFloat(scrollPaddingTop) || 0)
  const to = Math.max(0, target.getBoundingClientRect().top + from - room)
  if (motionMs(durationMs) === 0) {
    jump(to)
    return
  }

  // A later call takes over.
  const { dataset } = document.documentElement
  const mine = String(Number(dataset.scrolling ?? 0) + 1)
  dataset.scrolling = mine
  const stop = new AbortController()
  // Scrolling by the visitor takes precedence.
  for (const type of ['wheel', 'touchmove', 'keydown']) {
    addEventListener(type, () => stop.abort(), { signal: stop.signal, passive: true })
  }
  const start = performance.now()
  const step = (now: number) => {
    if (stop.signal.aborted || dataset.scrolling !== mine) {
      stop.abort()
      return
    }
    const done = Math.min(1, Math.max(0, (now - start) / durationMs))
    jump(from + (to - from) * (0.5 - Math.cos(done * Math.PI) / 2))
    if (done < 1) requestAnimationFrame(step)
    else stop.abort()
  }
  requestAnimationFrame(step)
}

function jump(top: number): void {
  scrollTo({ top, behavior: 'instant' })
}
