import { motionMs } from './motion.ts'

const running = new WeakMap<Element, Animation>()

export function isShown(element: HTMLElement): boolean {
  return element.checkVisibility()
}

/** Opens an element by its height. `durationMs` 0: at once. */
export function slideDown(element: HTMLElement, durationMs: number): void {
  running.get(element)?.cancel()
  if (isShown(element)) return
  element.hidden = false
  // A stylesheet or another script may hide it in another way.
  element.style.removeProperty('display')
  if (!isShown(element)) element.style.display = 'block'
  animate(element, () => ['0px', `${element.offsetHeight}px`], durationMs)
}

/** Closes an element; when closed it takes no space and is not read out. */
export function slideUp(element: HTMLElement, durationMs: number): void {
  running.get(element)?.cancel()
  const hide = () => {
    element.hidden = true
    // A theme may override `hidden`. Checking that would cost a layout for each of many elements.
    element.style.display = 'none'
  }
  if (motionMs(durationMs) === 0 || !isShown(element)) hide()
  else animate(element, () => [`${element.offsetHeight}px`, '0px'], durationMs)?.addEventListener('finish', hide)
}

/** @returns whether it is open now. */
export function slideToggle(element: HTMLElement, durationMs: number): boolean {
  const opening = !isShown(element)
  if (opening) slideDown(element, durationMs)
  else slideUp(element, durationMs)
  return opening
}

function animate(element: HTMLElement, height: () => [string, string], duration: number): Animation | undefined {
  if (motionMs(duration) === 0) return undefined
  const animation = element.animate(
    { height: height(), overflow: ['hidden', 'hidden'] },
    { duration, easing: 'ease-in-out' },
  )
  running.set(element, animation)
  return animation
}
