/**
 * Strength of a password, for the meter and the server's validation alike, by the number of guesses that an estimator
 * expects: patterns that attackers try first cost few.
 */

/** 0 and 1: trivial, 2: weak, 3: good, 4: strong. */
export type PasswordScore = 0 | 1 | 2 | 3 | 4

export const lowestScore: PasswordScore = 3
export const longestPassword = 512
export const shortestPassword = 8

/** The estimator's class, `ZxcvbnFactory` of `@zxcvbn-ts/core`: browser and server import it themselves. */
type Estimator<Graphs> = new (options: {
  dictionary: Record<string, string[]>
  graphs: Graphs
  maxLength: number
  l33tMaxSubstitutions: number
}) => { check(password: string, own: string[]): { guesses: number } }

/** @param own words of the account and the shop: user name, parts of the address, names */
export type PasswordScorer = (password: string, own?: readonly string[]) => PasswordScore

/** @param graphs which keys are neighbours on a keyboard */
export function createPasswordScorer<Graphs>(Estimator: Estimator<Graphs>, graphs: Graphs): PasswordScorer {
  // The time of an estimate grows with the square of the length, and with the ways to undo disguises.
  const limits = { maxLength: 32, l33tMaxSubstitutions: 10 }
  const estimator = new Estimator({ dictionary: { common: [...commonWords] }, graphs, ...limits })
  return (password, own = []) => {
    const { guesses } = estimator.check(
      password,
      [...new Set(own)].filter(({ length }) => length >= 3).slice(0, mostOwn),
    )
    const score = scoreOf(Math.log2(guesses))
    // A larger alphabet does not help: four characters of two units each are four characters.
    return isShortPassword(password) && score > 2 ? 2 : score
  }
}

/** The words of a form with long texts in it would take seconds. */
const mostOwn = 50

function scoreOf(bits: number): PasswordScore {
  // A thousand, a million, a hundred million and ten thousand million guesses.
  if (bits < 10) return 0
  if (bits < 20) return 1
  if (bits < 26.5) return 2
  return bits < 33 ? 3 : 4
}

/** Counts visible characters, in the Unicode form in which passwords are stored. */
export function isShortPassword(password: string): boolean {
  return [...password.normalize('NFC')].length < shortestPassword
}

const commonWords =
  'password passwort passwd secret letmein welcome admin login user guest root test demo shop store change master monkey dragon sunshine princess football baseball soccer hockey iloveyou love angel hello summer winter spring autumn flower michael daniel jordan thomas charlie jessica ashley shadow superman batman pokemon starwars freedom whatever trustno computer internet samsung google apple orange banana cookie coffee cheese chocolate summer monday friday january december money cash credit family mother father baby london berlin paris america england liverpool chelsea arsenal barcelona tiger eagle horse pepper ginger maggie buster hunter killer ninja matrix qazwsx abc'.split(
    ' ',
  )
