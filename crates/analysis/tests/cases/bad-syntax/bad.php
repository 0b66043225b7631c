<?php
function ( { ]

