/** Returns the closest element of a selector around an event's target. */
export function closestTo(event: { readonly target: EventTarget | null }, selector: string): HTMLElement | undefined {
  const { target } = event
  return target instanceof Element ? (target.closest<HTMLElement>(selector) ?? undefined) : undefined
}

export function allOf<Kind extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): Kind[] {
  return [...root.querySelectorAll<Kind>(selector)]
}
