<?php
function session_begin() { session_start(); }
session_begin();
