/** The page brings its own `html`, as the shop's does. */
export default function Layout({ children }) {
  return children
}
