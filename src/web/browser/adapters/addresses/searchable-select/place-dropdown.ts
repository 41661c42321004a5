/** Opens below if it fits, else above if it fits. Otherwise, and with a touch keyboard, it opens at the top. */
export function placeDropdown(dropdown: HTMLElement, container: HTMLElement): void {
  const height = dropdown.offsetHeight
  const { top, bottom } = container.getBoundingClientRect()
  const touch = matchMedia('(pointer: coarse)').matches
  const fitsBelow = bottom + height <= innerHeight
  const above = !touch && !fitsBelow && top >= height
  if (touch || (!fitsBelow && !above)) (container.closest('.form-row') ?? container).scrollIntoView({ block: 'start' })
  for (const [side, on] of [
    ['above', above],
    ['below', !above],
  ] as const) {
    container.classList.toggle(`select2-container--${side}`, on)
    dropdown.classList.toggle(`select2-dropdown--${side}`, on)
  }
}
