/**
 * Shows the figures at a position of the chart, under the pointer or at the keyboard's position. The keyboard uses a
 * slider over the chart, so that arrow keys and screen readers work as in every slider.
 */

type Row = { readonly label: string; readonly figures: readonly (readonly [name: string, value: string])[] }

/** @param name the accessible name of the slider */
export function inspectChart(within: ParentNode, name: string): void {
  const figure = within.querySelector<HTMLElement>('.stat-traffic')
  const plot = figure?.querySelector<HTMLElement>('.stat-plot')
  if (!figure || !plot) return
  const rows = rowsOf(figure)
  const places = Number(plot.dataset.places)
  const last = rows[rows.length - 1]
  if (!last) return
  // The browser's tooltips would appear beside the chart's own.
  for (const title of plot.querySelectorAll('title')) title.remove()

  const cursor = document.createElement('div')
  cursor.className = 'stat-cursor'
  const tip = document.createElement('div')
  tip.className = 'stat-tip'
  tip.ariaHidden = 'true'
  const slider = document.createElement('input')
  Object.assign(slider, { type: 'range', min: '0', max: String(rows.length - 1), step: '1', className: 'stat-slider' })
  slider.value = slider.max
  slider.ariaLabel = name
  slider.setAttribute('aria-valuetext', rowText(last))
  plot.append(cursor, tip, slider)

  const show = (place: number): void => {
    const row = rows[place]
    if (!row) return
    const at = ((place + 0.5) / places) * 100
    cursor.style.insetInlineStart = `${at}%`
    tip.style.insetInlineStart = `${at}%`
    tip.dataset.side = at > 50 ? 'end' : 'start'
    const title = document.createElement('strong')
    title.textContent = row.label
    tip.replaceChildren(
      title,
      ...row.figures.map(([what, value]) => {
        const line = document.createElement('span')
        line.textContent = `${what}: ${value}`
        return line
      }),
    )
    plot.dataset.inspected = String(place)
  }
  const hide = (): void => {
    if (document.activeElement === slider && slider.matches(':focus-visible')) show(Number(slider.value))
    else delete plot.dataset.inspected
  }
  plot.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect()
    const across = (clientX - left) / width
    const place = Math.floor((getComputedStyle(plot).direction === 'rtl' ? 1 - across : across) * places)
    show(Math.min(rows.length - 1, Math.max(0, place)))
  })
  plot.addEventListener('pointerleave', hide)
  slider.addEventListener('input', () => {
    const row = rows[Number(slider.value)]
    if (row) slider.setAttribute('aria-valuetext', rowText(row))
    show(Number(slider.value))
  })
  slider.addEventListener('focus', () => slider.matches(':focus-visible') && show(Number(slider.value)))
  slider.addEventListener('blur', hide)
}

/** Returns the rows of the table below the chart, whose figures are already localized. */
function rowsOf(figure: HTMLElement): readonly Row[] {
  const names = [...figure.querySelectorAll('thead th')].slice(1).map(textOf)
  return [...figure.querySelectorAll('tbody tr')].map((row) => ({
    label: textOf(row.querySelector('th')),
    figures: [...row.querySelectorAll('td')].map((cell, place) => [names[place] ?? '', textOf(cell)] as const),
  }))
}

const textOf = (element: Element | null) => element?.textContent ?? ''
const rowText = ({ label, figures }: Row) =>
  `${label}: ${figures.map(([name, value]) => `${name} ${value}`).join(', ')}`
