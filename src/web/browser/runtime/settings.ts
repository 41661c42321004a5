import {
  endpointPlaceholder,
  type ScriptSettings,
  settingsElementId,
  settingsName,
} from '#contract/shared/browser-settings.ts'
import { isRecord, parseJson } from './request.ts'

/** Makes the page's settings the globals that scripts read. Only own keys with a settings name, so no page data reaches other globals. */
export function defineSettings(): void {
  const printed = parseJson(document.getElementById(settingsElementId)?.textContent ?? '')
  if (!isRecord(printed)) return
  for (const [name, value] of Object.entries(printed)) {
    if (settingsName.test(name) && isRecord(value)) Reflect.set(window, name, value)
  }
}

/** One settings object as it is now: other scripts may have changed it. Empty when the page has none. */
export function settings<Name extends keyof ScriptSettings>(name: Name): Partial<ScriptSettings[Name]> {
  const value: unknown = Object.hasOwn(window, name) ? Reflect.get(window, name) : undefined
  // Proof of the cast: the server prints this object under this name from the same type, and every key is optional here.
  return isRecord(value) ? (value as Partial<ScriptSettings[Name]>) : {}
}

/** The address of one endpoint. */
export function ajaxUrl(template: string | undefined, endpoint: string): string {
  return (template ?? `/?wc-ajax=${endpointPlaceholder}`).replace(endpointPlaceholder, endpoint)
}
