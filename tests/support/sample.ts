import { createHash } from 'node:crypto'
import { seedOr, usualSeed } from './size.ts'

/** One test in so many runs at every change; all of them run at night. */
const oneIn = 10

/** `F7 at S11`, `F15`: a fault, in the title of a test. */
const fault = /\bF\d+\b/
/** `ADD-03`: a behaviour of the specification. Each keeps its test in every run, also one that is about a fault. */
const behaviour = /\b[A-Z]{2,}-\d{2}\b/
/** Pages in all their states, and the client libraries of the emulator method by method. */
const matrices = [/\/accessibility\/states\.test\.ts$/, /\/contract\/paypal-[a-z-]+\.browser\.test\.ts$/]

/**
 * Whether a test runs at every change: all do but those of a matrix, of which the seed draws one in ten. A matrix is faults by steps of
 * a purchase, states by pages, methods by client libraries.
 * @param file the path of its file
 */
export function isInSample(file: string, title: string): boolean {
  const inMatrix = fault.test(title) || matrices.some((pattern) => pattern.test(file))
  return !inMatrix || behaviour.test(title) || drawn(title)
}

function drawn(title: string): boolean {
  const [first = 0, second = 0] = createHash('sha256')
    .update(`${seedOr(usualSeed)} ${title}`)
    .digest()
  return (first * 256 + second) % oneIn === 0
}
