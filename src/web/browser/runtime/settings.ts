import {
  endpointPlaceholder,
  type ScriptSettings,
  settingsElementId,
  settingsName,
} from '#contract/shared/browser-settings.ts'
import { isRecord, parseJson } from './request.ts'

/**
 * Defines the page's settings as globals for scripts. Only own keys with a settings name are used, so that page data
 * reaches no other global.
 */
export function defineSettings(): void {
  const printed = parseJson(document.getElementById(settingsElementId)?.textContent ?? '')
  if (!isRecord(printed)) return
  for (const [name, value] of Object.entries(printed)) {
    if (settingsName.test(name) && isRecord(value)) Reflect.set(window, name, value)
  }
}

/** Returns a settings object in its current state: other scripts may have changed it. Empty when the page has none. */
export function settings<Name extends keyof ScriptSettings>(name: Name): Partial<ScriptSettings[Name]> {
  const value: unknown = Object.hasOwn(window, name) ? Reflect.get(window, name) : undefined
  // Proof of the cast: the server prints this object from the same type, and every key is optional here.
  return isRecord(value) ? (value as Partial<ScriptSettings[Name]>) : {}
}

/** Returns the URL of an endpoint. */
export function ajaxUrl(template: string | undefined, endpoint: string): string {
  return (template ?? `/?wc-ajax=${endpointPlaceholder}`).replace(endpointPlaceholder, endpoint)
}
