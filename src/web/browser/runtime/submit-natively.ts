import { isNavigationBlocked } from './offline.ts'

/**
 * Submits the form natively, with the flag that a pressed button would have added.
 * @param later runs once the connection is restored, instead of submitting offline
 */
export function submitNatively(
  form: HTMLFormElement,
  flags: Readonly<Record<string, string>>,
  later?: () => void,
): void {
  if (isNavigationBlocked(later)) return
  const fields = Object.entries(flags).map(([name, value]) =>
    Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
  )
  form.append(...fields)
  // A control called `submit` would hide the form's own function.
  HTMLFormElement.prototype.submit.call(form)
  // The back/forward cache may restore the page unchanged.
  for (const field of fields) field.remove()
}
