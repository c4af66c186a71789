# Stops unless every argument is logical and all of it TRUE; NA does not hold. The name of an argument is what
# the message says of it, else its expression is.
assert <- function(...) {
  expressions <- as.list(substitute(list(...)))[-1]
  values <- list(...)
  for (i in seq_along(values)) {
    holds <- is.logical(values[[i]]) && !anyNA(values[[i]]) && all(values[[i]])
    if (holds) next
    said <- names(values)[i]
    if (is.null(said) || !nzchar(said)) said <- paste(deparse(expressions[[i]]), collapse = " ")
    stop("does not hold: ", said, call. = FALSE)
  }
  invisible(TRUE)
}
