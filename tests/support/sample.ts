/** `F7 at S11`, `F15`: a fault, in the title of a test. */
const fault = /\bF\d+\b/
/** `ADD-03`, `M7`: a behaviour of the specification, or a method, which has a size of its own. They run in every run. */
const always = /\b(?:[A-Z]{2,}-\d{2}|M\d{1,2})\b/
/** Pages in all their states, and the client libraries of the emulator method by method. */
const matrices = [/\/accessibility\/states\.test\.ts$/, /\/contract\/paypal-[a-z-]+\.browser\.test\.ts$/]

/**
 * Whether a test is a row of a matrix: a fault at a step of a purchase, a state of a page, a method of a client library.
 * @param file the path of its file
 * @param title its own, without those around it
 */
export const inMatrix = (file: string, title: string): boolean =>
  !always.test(title) && (fault.test(title) || matrices.some((pattern) => pattern.test(file)))
