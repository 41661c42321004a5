import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { createPasswordScorer } from '#domain/customers/password-strength.ts'

/** Loaded when the visitor types the first character of a new password: it is larger than all other scripts of a form. */
export const passwordScore = createPasswordScorer(ZxcvbnFactory, adjacencyGraphs)

// The library name that third-party meters use.
if (!('zxcvbn' in window)) {
  const zxcvbn = (password: string, own: readonly string[] = []) => ({ score: passwordScore(password, own) })
  Object.assign(window, { zxcvbn })
}
