import type { ComponentType } from 'react'

/** Every island by name: its chunk is loaded when an element of that name wakes up. */
export const islands: Readonly<Record<string, () => Promise<ComponentType<never>>>> = {}
