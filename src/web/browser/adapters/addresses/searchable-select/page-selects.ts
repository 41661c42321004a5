import { searchableSelects } from '#contract/addresses/hooks.ts'
import { allOf } from '../../../runtime/elements.ts'
import { DropdownCode, SearchableSelect } from './searchable-select.ts'

/** @returns a function that makes the page's selects searchable, and removes the controls of selects that are gone */
export function pageSelects(): () => void {
  const widgets = new Map<HTMLSelectElement, SearchableSelect>()
  const list = new DropdownCode()
  const refresh = () => refreshSelects(widgets, list, refresh)
  return refresh
}

function refreshSelects(
  widgets: Map<HTMLSelectElement, SearchableSelect>,
  list: DropdownCode,
  refresh: () => void,
): void {
  for (const [select, widget] of widgets) {
    if (widget.stands()) continue
    widget.end()
    widgets.delete(select)
  }
  // A select that a theme hides itself stays hidden; one in a closed part of the page is not hidden itself. All are
  // measured before any is changed, to avoid a style recalculation for each.
  const shown = allOf<HTMLSelectElement>(searchableSelects).filter(
    (select) => !widgets.has(select) && getComputedStyle(select).display !== 'none',
  )
  for (const select of shown) {
    // A focused select is replaced only after it loses the focus.
    if (select === document.activeElement) select.addEventListener('blur', refresh, { once: true })
    else widgets.set(select, new SearchableSelect(select, list))
  }
}
