import { searchableSelects } from '#contract/addresses/hooks.ts'
import { allOf } from '../../../runtime/elements.ts'
import { SearchableSelect } from './searchable-select.ts'

const widgets = new Map<HTMLSelectElement, SearchableSelect>()

/** Makes every select of the page searchable that should be, and clears away what stood beside selects that are gone. */
export function refreshSelects(): void {
  for (const [select, widget] of widgets) {
    if (widget.stands()) continue
    widget.end()
    widgets.delete(select)
  }
  // One that a theme hides for itself stays hidden; one in a closed part of the page does not hide by itself. Asked of all before any
  // is changed, or the browser would work out the styles anew for each.
  const shown = allOf<HTMLSelectElement>(searchableSelects).filter(
    (select) => !widgets.has(select) && getComputedStyle(select).display !== 'none',
  )
  for (const select of shown) {
    // Whoever is in it already finishes there.
    if (select === document.activeElement) select.addEventListener('blur', refreshSelects, { once: true })
    else widgets.set(select, new SearchableSelect(select))
  }
}
