"""The playground: a page on which the transformation runs in the browser.

`site` makes the page, `answers` runs in it.
"""
