import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { createPasswordScorer } from '#domain/customers/password-strength.ts'

export const passwordScore = createPasswordScorer(ZxcvbnFactory, adjacencyGraphs)
