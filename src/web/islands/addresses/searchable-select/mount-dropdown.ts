import { flushSync } from 'react-dom'
import { type MountedIsland, mountIsland } from '../../../browser/runtime/island-root.ts'
import { SelectDropdown, type SelectDropdownProps } from './select-dropdown.tsx'

export type MountedDropdown = MountedIsland & { update(props: SelectDropdownProps): void }

/** Draws the list at once, within the press that opens it: a phone shows its keyboard for a focus in a press only. */
export function mountDropdown(host: HTMLElement, props: SelectDropdownProps, failed: () => void): MountedDropdown {
  return flushSync(() => mountIsland(host, SelectDropdown, props, { ready() {}, failed }))
}
