const debounceMs = 100

/**
 * Keeps an element as wide as the outer edges of other elements, also when the window changes.
 * @returns a function that stops following
 */
export function followWidth(element: HTMLElement, findLeaders: () => readonly Element[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    const boxes = findLeaders()
      .map((leader) => leader.getBoundingClientRect())
      .filter(({ width }) => width > 0)
    if (boxes.length === 0) return
    const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))
    element.style.inlineSize = `${width}px`
  }
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(follow, debounceMs)
  }
  follow()
  addEventListener('resize', later)
  return () => {
    clearTimeout(timer)
    removeEventListener('resize', later)
    element.style.removeProperty('inline-size')
  }
}
