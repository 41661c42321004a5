import { pageJQuery } from '../../../runtime/events.ts'
import type { Choice } from './choices.ts'

export type SelectEvent =
  | 'opening'
  | 'open'
  | 'closing'
  | 'close'
  | 'selecting'
  | 'select'
  | 'unselecting'
  | 'unselect'
  | 'clear'

/**
 * Triggers an event of a searchable select on the page, with its data as `event.params` and in the detail of a native
 * event. @returns false when a listener prevents an event that ends in -ing.
 */
export function dispatchSelectEvent(select: HTMLSelectElement, name: SelectEvent, choice?: Choice): boolean {
  const params = choice ? { data: { id: choice.id, text: choice.text, element: choice.option } } : {}
  const type = `select2:${name}`
  const jQuery = pageJQuery()
  if (!jQuery)
    return select.dispatchEvent(
      new CustomEvent(type, { bubbles: true, cancelable: true, detail: { args: [], params } }),
    )
  const event = Object.assign(jQuery.Event(type), { params })
  jQuery(select).trigger(event, [])
  return !event.isDefaultPrevented()
}

/** Triggers the events of a new value, as a native select does. */
export function dispatchChange(select: HTMLSelectElement): void {
  for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }))
}
