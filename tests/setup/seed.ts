import fc from 'fast-check'
import { seedOr, size, usualSeed } from '../support/size.ts'

/** Properties of every change try the same cases; `SEED`, which a nightly run draws and prints, chooses others. */
fc.configureGlobal({ seed: seedOr(usualSeed), numRuns: size(100, 2_000) })
