import type { Chance } from '#contract/shared/environment.ts'
import { dice } from '#tests/support/shared/dice.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** What the simulator decides by, the same for the same seed. */
export type Luck = {
  /** A whole number from 0 to below `sides`. */
  roll(sides: number): number
  /** True in so many of a hundred cases. */
  percent(share: number): boolean
  between(least: number, most: number): number
  pick<Thing>(things: readonly [Thing, ...Thing[]]): Thing
}

export function seededLuck(seed: number): Luck {
  const roll = dice(seed)
  return {
    roll,
    percent: (share) => roll(10_000) < share * 100,
    between: (least, most) => least + roll(most - least + 1),
    pick: ([first, ...others]) => others[roll(others.length + 1) - 1] ?? first,
  }
}

/**
 * One sequence for each name. Two that come to rest in the same step may do so in either order, and what befalls
 * the one must not hang on whether the other asked before.
 */
export function namedLuck(seed: number): (name: string) => Luck {
  const lucks = new Map<string, Luck>()
  return (name) => {
    const known = lucks.get(name)
    if (known) return known
    let hash = seed | 0
    for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
    const luck = seededLuck(hash >>> 0)
    lucks.set(name, luck)
    return luck
  }
}

/** The shop's own chance. Apart from the simulator's: what the shop draws must not change what befalls it. */
export function seededChance(seed: number): Chance {
  const roll = dice(seed)
  const hex = (bytes: number) => Array.from({ length: bytes }, () => roll(256).toString(16).padStart(2, '0')).join('')
  return {
    hex,
    alphanumeric: (length) => Array.from({ length }, () => letters[roll(letters.length)]).join(''),
    uuid: () => {
      const digits = hex(16)
      const variant = '89ab'[roll(4)]
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
    },
    fraction: () => roll(2 ** 31) / 2 ** 31,
  }
}
